import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { TaskSetting } from '../task-kind.js'
import { GuardedFolder } from './guarded-folder.js'

/**
 * A folder below the import directory. A folder named like another project is that project's: for all others it is not
 * there, so that one project's administrator can't take in another's calls.
 * @throws Problem `invalid_input`
 */
export async function importFolderOf({ services, project }: TaskSetting, name: string): Promise<GuardedFolder> {
  const variable = 'EARSHOT_IMPORT_DIR'
  const folder = await GuardedFolder.open({ directory: services.importDir, variable }, name)
  const [first] = folder.name.split('/')
  const owner = services.projects.list().find(({ project_id: id }) => id === first)
  if (owner === undefined || owner.project_id === project.project_id) return folder
  throw new Problem('invalid_input', `There is no folder ${echo(name)} below ${variable}`)
}
