// Made by "npm run docs" of the code that evaluates calls (scripts/evaluator-fingerprint.mjs).
/** Which evaluator this is: calls that another one evaluated are stale. */
export const EVALUATOR_FINGERPRINT = 'e56e32864ff2'
