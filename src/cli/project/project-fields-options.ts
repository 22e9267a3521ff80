import { evaluationSettings } from '../../store/records/project.js'
import { textOption } from '../text-option.js'

/** What can be said about a project on the command line. */
export const projectFieldsOptions = {
  name: textOption('Name, 1 to 120 characters'),
  timezone: textOption('Time zone in which days are cut, such as Europe/Berlin'),
  vertical: { type: 'array', string: true, requiresArg: true, description: 'Line of business; may be repeated' },
  redact: {
    type: 'string',
    choices: ['on', 'off'],
    requiresArg: true,
    description: 'Mask personal data in calls and feedback that come in from now on',
  },
  evaluation: {
    type: 'string',
    choices: evaluationSettings,
    requiresArg: true,
    description:
      'How calls that come in from now on are evaluated: by rules (default), a model later, or not (imported)',
  },
} as const
