/**
 * `npm run test:whole` tries every pair of a table, every simulated world and what takes long. The suite, which runs at every change, takes
 * a part in which every row and every column still is, and seeds that are fixed, so that it says the same each time.
 *
 * `test.runIf(isWhole)` is for a test of seconds where what it holds is held in the suite by one that takes less, in another room or of
 * fewer cases; and for packages, images and what few changes touch. Nothing of who hears what, of what is sealed or of what strangers may do is
 * left to it alone.
 */
export const isWhole = process.env['WHOLE'] !== undefined

/** How many: in the suite, and in whole. */
export const sized = (suite: number, whole: number): number => (isWhole ? whole : suite)

/** Whether a pair of a row and a column is tried: in the suite one of `every`, of each row and of each column. */
export const isTried = (row: number, column: number, every: number): boolean => isWhole || (row + column) % every === 0
