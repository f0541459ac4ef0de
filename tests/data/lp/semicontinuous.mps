* x is 0 or at least 7, y 0 or in [3, 4], z 0 or a whole number: optimum 7
NAME semi
ROWS
 N cost
 G need
COLUMNS
 x cost 1 need 1
 y cost 2 need 1
 z cost 4 need 1
RHS
 RHS need 5
BOUNDS
 LO BND x 7
 SC BND x
 LO BND y 3
 SC BND y 4
 LO BND z 1
 SI BND z
ENDATA
