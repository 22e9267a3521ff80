/** The alert a command works on. */
export const alertIdOption = {
  type: 'string',
  demandOption: true,
  description: 'Alert, as "alerts list" shows it',
} as const
