/**
 * What a run says of one scenario.
 * @param needsStream scenarios that can't pass in this run, because they need messages before the answer
 */
export function verdictOf({ name, passed, failed, unscored }, needsStream) {
  // A scenario that checked nothing has not passed.
  const green = failed === 0 && passed > 0
  if (unscored !== undefined) return `not scored (${unscored})`
  if (green) return 'passed'
  return needsStream.has(name) ? 'not applicable (needs a stream)' : 'FAILED'
}
