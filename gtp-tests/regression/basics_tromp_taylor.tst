# flags: --seed 1 --threads 1 --playouts 500
# The board as it stands, positional superko, self-capture of several stones: the files ask for
# the rules of Tromp and Taylor.

loadsgf ../sgf/rules/walls_tromp_taylor.sgf
20 final_score
#? [0]
# a stone without hope still stands: Black's region touches both colors now
play w A2
30 final_status_list dead
#? []
40 final_status A2
#? [alive]
50 final_score
#? [W\+13\.0]

# two stones may go, one may not
loadsgf ../sgf/rules/suicide_tromp_taylor.sgf
60 is_legal w B1
#? [1]
70 play w B1
#? []
80 list_stones w
#? []
90 captures b
#? [2]
# a stone at A1 would restore the position before, one at B1 makes a new one
100 is_legal w A1
#? [0]
110 is_legal w B1
#? [1]

# positional superko: passes lift nothing
loadsgf ../sgf/rules/ko_tromp_taylor.sgf
gogui-play_sequence b C4 w pass b pass
120 is_legal w C5
#? [0]
# with one more stone on the board, the position would be a new one
play w A1
130 is_legal w C5
#? [1]
