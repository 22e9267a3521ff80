/** The key a command works on. */
export const keyIdOption = { type: 'string', demandOption: true, description: 'Id of the key (key_id)' } as const
