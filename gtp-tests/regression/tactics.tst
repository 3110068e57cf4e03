# flags: --seed 1 --threads 1 --playouts 20000
# Captures, escapes, eyes and races of a move or two that a player without knowledge solves by
# playouts alone. Own positions; their files say what it is about.

# limits what other tools spend on a test; the playouts of the first line need less
time_settings 0 2 1

# Black lives in the middle of the three points, White kills there
loadsgf ../sgf/tactics/three_in_a_row.sgf
10 reg_genmove b
#? [B7]

loadsgf ../sgf/tactics/three_in_a_row.sgf
20 reg_genmove w
#? [B7]

# the corner is the vital point of the bent three
loadsgf ../sgf/tactics/bent_three.sgf
30 reg_genmove b
#? [A7]

loadsgf ../sgf/tactics/bent_three.sgf
40 reg_genmove w
#? [A7]

# the point that touches the three others
loadsgf ../sgf/tactics/pyramid_four.sgf
50 reg_genmove b
#? [B7]

loadsgf ../sgf/tactics/pyramid_four.sgf
60 reg_genmove w
#? [B7]

# the point that touches three others, or its neighbor that threatens the stone above
loadsgf ../sgf/tactics/bulky_five.sgf
70 reg_genmove b
#? [B6|B7]

loadsgf ../sgf/tactics/bulky_five.sgf
80 reg_genmove w
#? [B6|B7]

# the second eye is made or taken at D7
loadsgf ../sgf/tactics/second_eye.sgf
90 reg_genmove b
#? [D7]

loadsgf ../sgf/tactics/second_eye.sgf
100 reg_genmove w
#? [D7]

# one liberty each: whoever moves takes
loadsgf ../sgf/tactics/race_one_liberty.sgf
110 reg_genmove b
#? [G5]

loadsgf ../sgf/tactics/race_one_liberty.sgf
120 reg_genmove w
#? [G4]

# two liberties each: whoever moves is first
loadsgf ../sgf/tactics/race_two_liberties.sgf
130 reg_genmove b
#? [A5|G5]

loadsgf ../sgf/tactics/race_two_liberties.sgf
140 reg_genmove w
#? [A4|G4]

# four stones are connected or lost
loadsgf ../sgf/tactics/connect.sgf
150 reg_genmove b
#? [D5]

loadsgf ../sgf/tactics/connect.sgf
160 reg_genmove w
#? [D5]

# half a point decides: no pass while a neutral point is open
loadsgf ../sgf/tactics/last_neutral_point.sgf
170 reg_genmove b
#? [D4]

loadsgf ../sgf/tactics/last_neutral_point.sgf
180 reg_genmove w
#? [D4]

# where every stone on the board counts, dead stones must be taken
loadsgf ../sgf/tactics/take_dead_stone.sgf
190 reg_genmove b
#? [C3]

# three stones of each side are in atari: take first; White may run as well, since Black cannot
loadsgf ../sgf/tactics/cut_in_atari.sgf
200 reg_genmove b
#? [D4]

loadsgf ../sgf/tactics/cut_in_atari.sgf
210 reg_genmove w
#? [F4|D4]

# three stones are taken or saved
loadsgf ../sgf/tactics/three_in_atari.sgf
220 reg_genmove b
#? [E5]

loadsgf ../sgf/tactics/three_in_atari.sgf
230 reg_genmove w
#? [E5]
