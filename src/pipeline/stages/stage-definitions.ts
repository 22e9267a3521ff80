import { addFields } from './add-fields.js'
import { count } from './count.js'
import { group } from './group.js'
import { limit } from './limit.js'
import { match } from './match.js'
import { project } from './project.js'
import { set } from './set.js'
import { skip } from './skip.js'
import { sort } from './sort.js'
import type { StageDefinition } from './stage-definition.js'
import { unset } from './unset.js'
import { unwind } from './unwind.js'

/** Every stage of the language: the allow-list, a file each. */
export const stageDefinitions: readonly StageDefinition[] = [
  addFields,
  count,
  group,
  limit,
  match,
  project,
  set,
  skip,
  sort,
  unset,
  unwind,
]
