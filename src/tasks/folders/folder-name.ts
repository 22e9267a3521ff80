import { z } from 'zod'
import { placeNameFault } from '../../base/place-name.js'

/** Longest name of a folder, in UTF-16 units. */
const LONGEST_NAME = 200

/** A folder of a project by its name below the project's: `calls`, or `calls/retail`. Never a way out of it. */
export const folderName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .superRefine((name, context) => {
    const fault = placeNameFault(name)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({
    description: 'Name of a folder below the project’s in the directory the operator has set, such as calls/retail',
  })
