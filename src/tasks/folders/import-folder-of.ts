import { posix } from 'node:path'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { TaskSetting } from '../task-kind.js'
import { GuardedFolder } from '../../base/guarded-folder.js'

/**
 * A folder of the project below the import directory. It is made with its task; that it is missing when the task runs
 * is a fault, since a folder just made would read as one that nothing is in (and an empty one of documents can remove
 * all documents).
 *
 * @throws Problem as GuardedFolder.open
 */
export async function importFolderOf(setting: TaskSetting, name: string): Promise<GuardedFolder> {
  const { services, isRun } = setting
  const { project_id: projectId } = setting.project
  const root = { directory: services.importDir, variable: 'EARSHOT_IMPORT_DIR', projectId } as const
  const found = await GuardedFolder.find(root, name)
  if (found !== undefined) return found
  if (isRun && (await isAtOldPlace(setting, name))) throw movedPlace(projectId, name)
  return await GuardedFolder.open(root, name, { make: !isRun })
}

/** Whether the folder lies beside those of the projects, as before each had its own. Never tells of another project's. */
async function isAtOldPlace({ services, project }: TaskSetting, name: string): Promise<boolean> {
  const [first] = name.split('/')
  if (first === project.project_id || services.projects.list().some(({ project_id: id }) => id === first)) return false
  const root = { directory: services.importDir, variable: 'EARSHOT_IMPORT_DIR', projectId: undefined } as const
  return (await GuardedFolder.find(root, name).catch(() => undefined)) !== undefined
}

function movedPlace(projectId: string, name: string): Problem {
  const parent = posix.join(projectId, posix.dirname(name))
  return new Problem(
    'invalid_input',
    `There is no folder ${echo(`${projectId}/${name}`)} below EARSHOT_IMPORT_DIR, but there is ${echo(name)}: a project's ` +
      `folders lie below one that is named like the project now. On the machine, if it is this project's: ` +
      `cd "$EARSHOT_IMPORT_DIR" && mkdir -p -- ${quoted(parent)} && mv -- ${quoted(name)} ${quoted(parent)}/`,
  )
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
