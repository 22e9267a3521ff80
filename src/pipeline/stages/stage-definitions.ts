import { addFields } from './add-fields.js'
import { bucket } from './bucket.js'
import { bucketAuto } from './bucket-auto.js'
import { count } from './count.js'
import { densify } from './densify.js'
import { facet } from './facet.js'
import { fill } from './fill.js'
import { group } from './group.js'
import { limit } from './limit.js'
import { match } from './match.js'
import { project } from './project.js'
import { redact } from './redact.js'
import { replaceRoot } from './replace-root.js'
import { replaceWith } from './replace-with.js'
import { sample } from './sample.js'
import { set } from './set.js'
import { setWindowFields } from './set-window-fields.js'
import { skip } from './skip.js'
import { sort } from './sort.js'
import { sortByCount } from './sort-by-count.js'
import type { StageDefinition } from './stage-definition.js'
import { unset } from './unset.js'
import { unwind } from './unwind.js'

/** Every stage of the language: the allow-list, a file each. */
export const stageDefinitions: readonly StageDefinition[] = [
  addFields,
  bucket,
  bucketAuto,
  count,
  densify,
  facet,
  fill,
  group,
  limit,
  match,
  project,
  redact,
  replaceRoot,
  replaceWith,
  sample,
  set,
  setWindowFields,
  skip,
  sort,
  sortByCount,
  unset,
  unwind,
]
