import type { TaskSetting } from '../task-kind.js'
import { GuardedFolder } from './guarded-folder.js'
import { ownFolder } from './own-folder.js'

/** A folder below the import directory. @throws Problem `invalid_input` */
export async function importFolderOf(setting: TaskSetting, name: string): Promise<GuardedFolder> {
  const variable = 'EARSHOT_IMPORT_DIR'
  const folder = await GuardedFolder.open({ directory: setting.services.importDir, variable }, name)
  return ownFolder(folder, setting, { name, variable })
}
