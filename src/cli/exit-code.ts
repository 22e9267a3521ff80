/** What the command ends with: 0 done, 1 failed, 2 written wrongly. */
export const exitCode = { done: 0, failed: 1, usage: 2 } as const
