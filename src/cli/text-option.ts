/** An option that takes one text. */
export function textOption(description: string) {
  return { type: 'string', requiresArg: true, description } as const
}
