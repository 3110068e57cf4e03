# flags: --seed 1 --threads 1 --playouts 500
# Counting of territory and prisoners, simple ko, no handicap bonus: the files ask for Japanese
# rules.

# twelve points each
loadsgf ../sgf/rules/walls_japanese.sgf
10 get_komi
#? [0\.0]
20 final_score
#? [0]
# a dead stone is a prisoner: it costs a point
play w A2
30 final_score
#? [B\+1\.0]
# to take it by hand fills three points of one's own
gogui-play_sequence b A1 b A3 b B2
40 captures b
#? [1]
50 final_score
#? [W\+2\.0]
60 final_status_list dead
#? []
# passes are free
play w pass
play b pass
70 final_score
#? [W\+2\.0]

loadsgf ../sgf/rules/neutral_japanese.sgf
80 final_score
#? [0]

# simple ko: a pass of each side lifts it
loadsgf ../sgf/rules/ko_japanese.sgf
play b C4
100 is_legal w C5
#? [0]
play w pass
play b pass
110 is_legal w C5
#? [1]

# no point for handicap stones
loadsgf ../sgf/rules/handicap_japanese.sgf
120 get_handicap
#? [3]
play w pass
play b A1
130 final_score
#? [B\+44\.5]

# rules and komi go with the file: by Chinese rules the handicap is paid for, and komi is 7.5
boardsize 7
clear_board
140 fixed_handicap 3
#?= [C3 E5 C5]
play w pass
play b A1
150 final_score
#? [B\+38\.5]
