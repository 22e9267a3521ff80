// Made by "npm run docs" of the code that evaluates calls (scripts/evaluator-fingerprint.mjs).
/** Which evaluator this is: calls that another one evaluated are stale. */
export const EVALUATOR_FINGERPRINT = 'a65af261b2d4'
