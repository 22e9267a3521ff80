import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { TaskSetting } from '../task-kind.js'
import type { GuardedFolder, GuardedRoot } from './guarded-folder.js'

/**
 * A folder that a project's tasks may use. One named like another project is that project's: for all others it is not
 * there, so that one project's administrator can't take in another's calls, or put reports among another's. Nor is the
 * directory itself, to which a link may lead: it holds the folders of all.
 * @param name as the task gives it
 * @throws Problem `invalid_input`
 */
export function ownFolder(
  folder: GuardedFolder,
  { services, project }: TaskSetting,
  { name, variable }: { readonly name: string } & Pick<GuardedRoot, 'variable'>,
): GuardedFolder {
  const [first] = folder.name.split('/')
  const others = services.projects.list().filter(({ project_id: id }) => id !== project.project_id)
  if (first !== '' && !others.some(({ project_id: id }) => id === first)) return folder
  throw new Problem('invalid_input', `There is no folder ${echo(name)} below ${variable}`)
}
