import { type Complete, firstOf } from '../completion.js'

/** The asker's own project, the only one there is for it. */
export const completeProjectId: Complete = (asker, typed) => {
  const { project_id: own } = asker.project
  return Promise.resolve(firstOf(own.startsWith(typed) ? [own] : []))
}
