NAME          INT
ROWS
 N  COST
 L  LIM1
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    X         COST         -1.0   LIM1         1.0
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       LIM1         4.0
ENDATA
