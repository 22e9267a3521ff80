/** The task a command is about. */
export const taskIdOption = {
  type: 'string',
  demandOption: true,
  description: 'Task, as "tasks list" shows it',
} as const
