import { eventRoutes } from './event-routes.js'
import { ActivityReplay } from '../activity/activity-replay.js'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { controlRoutes } from '../control/control-routes.js'
import type { Door } from '../control/door.js'
import { LocalDoor } from '../control/local-door.js'
import { eraseRoutes } from '../rest/erase-routes.js'
import { exportRoutes } from '../rest/export-routes.js'
import { keyRoutes } from '../rest/key-routes.js'
import { knowledgeRoutes } from '../rest/knowledge-routes.js'
import { projectRoutes } from '../rest/project-routes.js'
import { taskRoutes } from '../rest/task-routes.js'
import { rubricRoutes } from '../rest/rubric-routes.js'
import { controlParts } from './control-parts.js'
import { openAnswering } from './open-answering.js'
import { type Installation, openInstallation } from './open-installation.js'
import { openKnowledge } from './open-knowledge.js'
import { openTasks } from './open-tasks.js'

/** Most bytes of memory for the engine of a command: what it has read stays in memory up to the limit, for nobody. */
const MOST_MEMORY = 96 * 1024 * 1024

/**
 * A command's way to a store that nobody else holds. Rejects with StoreHeld when somebody does. Its engine is a small
 * one: with more threads an import is slower (they wait for each other, and its workers need the cores), and what the
 * engine lets go of would stay with the process.
 */
export async function openLocalDoor(config: Config, log: Logger, version: string): Promise<Door> {
  const memoryLimit = Math.min(config.memoryLimit, MOST_MEMORY)
  const engine = { giveBackFrom: '4MB', checkpointFrom: '16MB' }
  const installation = await openInstallation({ ...config, memoryLimit, threads: 1 }, log, engine)
  try {
    const knowledge = await openKnowledge(installation, config, log)
    const answering = await openAnswering(installation, config, () => catchUpOnce(installation), knowledge)
    const imports = { imported: () => undefined }
    const meter = { ...imports, ran: () => undefined, skipped: () => undefined }
    // Never started: what is due waits for a server; what a command asks for runs in it.
    const tasks = await openTasks({ config, log, installation, answering, knowledge, meter })
    const own = controlRoutes(controlParts({ config, installation, answering, imports, version }))
    return new LocalDoor({
      routes: [
        ...eventRoutes({ installation, config, answering }),
        ...projectRoutes(installation),
        ...keyRoutes(installation),
        ...knowledgeRoutes({ knowledge, projects: installation.projects }),
        ...taskRoutes({ ...tasks, projects: installation.projects }),
        ...exportRoutes(installation),
        ...rubricRoutes({ answering, projects: installation.projects, rubrics: installation.rubrics }),
        ...eraseRoutes({ ...installation, calls: installation.store.calls, reports: tasks.reports }),
        ...own,
      ],
      calls: installation.store.calls,
      trail: installation.trail,
      log,
      close: async () => {
        await tasks.scheduler.stop()
        await installation.close()
      },
    })
  } catch (error) {
    await installation.close()
    throw error
  }
}

/** Nothing follows the trail here, as a running service does. */
async function catchUpOnce({ trail, store }: Installation): Promise<void> {
  const replay = new ActivityReplay({ trail, table: store.activity })
  try {
    await replay.catchUp()
  } finally {
    await replay.close()
  }
}
