import { textOption } from './text-option.js'

/** The project a command works on. */
export const projectOption = {
  project: { ...textOption('Id of the project'), demandOption: true },
} as const
