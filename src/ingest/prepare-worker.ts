/** The module that import's worker threads run: see worker-pool.ts. */
export { preparePieces } from './prepare-pieces.js'
