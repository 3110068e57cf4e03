# flags: --seed 1 --threads 1 --playouts 500
# Facts of protocol, rules and counting that hold whatever the engine plays. Chinese rules.

# --- Protocol -----------------------------------------------------------------------------------

10 protocol_version
#? [2]

20 known_command undo
#? [true]

30 known_command undoo
#? [false]

40 list_commands
#?+ [protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove]
42 list_commands
#?+ [undo fixed_handicap place_free_handicap set_free_handicap time_settings time_left]
44 list_commands
#?+ [final_score final_status_list final_status loadsgf reg_genmove showboard rectangular_boardsize]
46 list_commands
#?+ [kgs-genmove_cleanup gogui-interrupt gogui-play_sequence gogui-analyze_commands gg-undo cputime]
# advertising it crashes one client
48 list_commands
#?- [kgs-chat]

50 undo
#?! [^cannot undo$]

60 boardsize 40
#?! [^unacceptable size$]

70 query_boardsize
#? [19]

80 komi infinity
#?! [komi|syntax]

90 cputime
#? [[0-9]+\.[0-9]+]

100 version
#? [[0-9]+\.(1[5-9]|[2-9][0-9])\..*]

# --- Liberties ----------------------------------------------------------------------------------

boardsize 9
clear_board
play b E5
# a stone alone has four liberties, and less at the edge
110 findlib E5
#?= [E4 E6 D5 F5]
play b J9
120 countlib J9
#? [2]
play b A4
130 findlib A4
#?= [A3 A5 B4]
play b A5
play b A6
140 countlib A5
#? [5]
# an enemy takes one away, a friend shares them all
play w F5
150 countlib E5
#? [3]
play b E6
160 countlib E5
#? [5]

# --- Capture ------------------------------------------------------------------------------------

boardsize 5
clear_board
# two stones on the first line
gogui-play_sequence w B1 w C1 b A1 b B2 b C2 w E5
200 countlib B1
#? [1]
210 play b D1
#? []
220 list_stones w
#?= [E5]
230 captures black
#? [2]
240 all_legal w
#?+ [A2 A3 B1 C1 D2 E1]
245 all_legal w
#?- [A1 B2 C2 D1 E5]

clear_board
# a ring of eight around one point, and a wall around the ring
gogui-play_sequence w B2 w B3 w B4 w C2 w C4 w D2 w D3 w D4
gogui-play_sequence b A2 b A3 b A4 b E2 b E3 b E4 b B1 b C1 b D1 b B5 b C5 b D5
250 findlib B2
#?= [C3]
260 is_legal w C3
#? [0]
270 is_legal b C3
#? [1]
280 play b C3
#? []
290 list_stones w
#?= []
300 captures b
#? [8]

# --- Ko -----------------------------------------------------------------------------------------

boardsize 6
clear_board
# Black's stone at C4 takes C5, and would be taken at once
gogui-play_sequence b C6 b B5 b D5 w B4 w D4 w C3 w C5
310 countlib C5
#? [1]
play b C4
320 color C5
#? [empty]
330 is_legal w C5
#? [0]
340 play w C5
#?! [^illegal move$]
350 all_legal w
#?- [C5]
360 is_legal b C5
#? [1]
# after a move elsewhere White may
play w A1
play b A6
370 play w C5
#? []
380 captures w
#? [1]
390 is_legal b C4
#? [0]

# snapback: who takes one loses three, and that is no ko
clear_board
gogui-play_sequence b A3 b B3 b C2 b C1 w A2 w B2
gogui-play_sequence b A1 w B1
400 play b A1
#? []
410 captures b
#? [3]

# --- Self-capture -------------------------------------------------------------------------------

boardsize 5
clear_board
gogui-play_sequence b A2 b B2 b C2 b C1 w A1
420 play w B1
#?! [^illegal move$]
430 is_legal b B1
#? [1]

# two eyes: neither may be filled by the opponent
clear_board
gogui-play_sequence b A2 b B2 b C2 b D2 b B1 b D1 w A3 w B3 w C3 w D3 w E2 w E1
440 is_legal w A1
#? [0]
450 is_legal w C1
#? [0]
460 all_legal w
#?- [A1 C1]

# --- Counting -----------------------------------------------------------------------------------

boardsize 6
clear_board
komi 0
# three columns each
gogui-play_sequence b C1 b C2 b C3 b C4 b C5 b C6 w D1 w D2 w D3 w D4 w D5 w D6
500 final_score
#? [0]
komi 2.75
510 final_score
#? [W\+2\.75]
komi -2
520 final_score
#? [B\+2\.0]
530 final_status_list dead
#? []
540 final_status_list alive
#?= [C1 C2 C3 C4 C5 C6 D1 D2 D3 D4 D5 D6]
# a stone without hope does not change it
play w A2
550 final_status_list dead
#? [A2]
560 final_score
#? [B\+2\.0]

# White gets a point for each handicap stone
boardsize 7
clear_board
komi 0.5
570 set_free_handicap D4 C3 E5
#? []
580 final_score
#? [B\+45\.5]
590 get_handicap
#? [3]

# --- Judgement ----------------------------------------------------------------------------------

boardsize 5
clear_board
komi 0.5
# three eyes each, nothing left to play but one's own eyes
gogui-play_sequence b B1 b B2 b B3 b B4 b B5 b A2 b A4
gogui-play_sequence w C1 w C2 w C3 w C4 w C5 w D1 w D2 w D3 w D4 w D5 w E2 w E4
600 reg_genmove b
#? [PASS]
play b pass
610 reg_genmove w
#? [PASS]
# it has not been played
620 last_move
#? [black PASS]
630 final_score
#? [W\+5\.5]

# --- Rules by command ----------------------------------------------------------------------------

650 kata-set-rules {broken
#?! [JSON]
660 kata-set-rules no such rules
#?! [no such rules]
670 kata-get-rules
#? [\{"ko":"POSITIONAL".*"whiteHandicapBonus":"N".*\}]

# --- Files --------------------------------------------------------------------------------------

loadsgf ../sgf/load/plain.sgf 3
700 last_move
#? [white E3]
loadsgf ../sgf/load/plain.sgf
710 get_komi
#? [5\.5]
720 last_move
#? [white PASS]
730 loadsgf ../sgf/load/no_such_file.sgf
#?! [^cannot load file$]
740 move_history
#? [white PASS.*black C5]
