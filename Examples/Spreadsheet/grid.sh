#!/bin/sh
# Writes a large sheet as comma-separated values: a row of ones, and below it ROWS rows of COLUMNS formulas, each the
# sum of the two cells above it (the last column takes the first for its second). Row k below the top holds 2^k, for k
# up to 1023.
#
#     grid.sh ROWS COLUMNS > grid.csv
awk -v rows="$1" -v columns="$2" '
    function name(column) { return column > 26 ? name(int((column - 1) / 26)) letter(column) : letter(column) }
    function letter(column) { return sprintf("%c", 65 + (column - 1) % 26) }
    BEGIN {
        for (column = 1; column <= columns; column++) names[column] = name(column)
        for (row = 0; row <= rows; row++)
            for (column = 1; column <= columns; column++) {
                field = row == 0 ? 1 : "=" names[column] row "+" names[column % columns + 1] row
                printf "%s%s", field, column == columns ? "\n" : ","
            }
    }'
