/**
 * `npm run test:whole` tries every pair of a table and every simulated world. The suite, which runs at every change, takes a part in
 * which every row and every column still is, and seeds that are fixed, so that it says the same each time.
 */
const isWhole = process.env['WHOLE'] !== undefined

/** How many: in the suite, and in whole. */
export const sized = (suite: number, whole: number): number => (isWhole ? whole : suite)

/** Whether a pair of a row and a column is tried: in the suite one of `every`, of each row and of each column. */
export const isTried = (row: number, column: number, every: number): boolean => isWhole || (row + column) % every === 0
