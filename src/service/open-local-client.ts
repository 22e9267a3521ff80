import { Admission } from '../admission/admission.js'
import { ActivityReplay } from '../activity/activity-replay.js'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { isRoomy } from '../config/memory.js'
import type { Client } from '../control/client.js'
import { LocalClient } from '../control/local-client.js'
import { openServices } from './open-services.js'
import { openAnswering } from './open-answering.js'
import { type Installation, openInstallation } from './open-installation.js'
import { openModel } from './open-model.js'
import { openKnowledge } from './open-knowledge.js'
import { openTasks } from './open-tasks.js'

/**
 * Memory the engine of an import starts with, none of it for a cache: enough for calls of the usual length. And what it
 * takes where that is too little, as for calls that are evaluated as they come in.
 */
const IMPORT_MEMORY = ['72MiB', '104MiB']
/**
 * Memory let go of at once, from which on the process gives it back, where memory is short and where it is not: an import lets go
 * of 4 MB all the time and of 16 with every batch, and taking it anew was a quarter of what its engine did.
 */
const GIVE_BACK_FROM = { short: '4MB', roomy: '64MB' }
/** Writes of an import between two renewals of its engine: about 65,000 calls, or their lifts, which leave 2 MB each behind. */
const WRITES_BEFORE_RENEWAL = 32
/** What an import reads beside its writes is little: with seven threads of Node's there is one for each and two to spare. */
const IMPORT_LANES = { maxLight: 2, maxHeavy: 1, maxBulk: 1 }

/** What a command that holds the store says of itself, should it ask. */
const IN_A_COMMAND = { name: 'earshot', ready: () => Promise.resolve(undefined) }

export interface LocalClientOptions {
  /** Whether the command imports calls: then its engine is kept small, however many there are. */
  readonly imports?: boolean
  /**
   * Whether the command may begin a new store where there is none. Others refuse: in the wrong directory a backup of
   * nothing would look like a backup.
   */
  readonly begins?: boolean
}

/**
 * A command's way to a store that nobody else holds. Rejects with StoreHeld when somebody does. Its engine has one
 * thread: with more an import is slower (they wait for each other, and its workers need the cores).
 */
export async function openLocalClient(
  config: Config,
  log: Logger,
  version: string,
  { imports = false, begins = false }: LocalClientOptions = {},
): Promise<Client> {
  const installation = await openInstallation({ ...config, threads: 1 }, log, {
    forCommand: true,
    mustBeThere: !begins,
    giveBackFrom: isRoomy(config) ? GIVE_BACK_FROM.roomy : GIVE_BACK_FROM.short,
    checkpointFrom: '16MB',
    ...(imports && { smallMemory: IMPORT_MEMORY, renewAfterWrites: WRITES_BEFORE_RENEWAL, ...IMPORT_LANES }),
  })
  try {
    const knowledge = await openKnowledge(installation, config, log)
    const admission = new Admission(config)
    const answering = await openAnswering(installation, config, () => catchUpOnce(installation), knowledge, admission)
    const unheard = { imported: () => undefined }
    const meter = { ...unheard, ran: () => undefined, skipped: () => undefined }
    // Never started: what is due waits for a server; what a command asks for runs in it.
    const models = await openModel(config, installation.store)
    const tasks = await openTasks({ config, log, installation, answering, knowledge, models, meter })
    const given = {
      config,
      admission,
      installation,
      answering,
      knowledge,
      models,
      tasks,
      imports: unheard,
      version,
      ...IN_A_COMMAND,
    }
    const services = await openServices(given)
    return new LocalClient({
      services,
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
async function catchUpOnce({ trailFiles: trail, embedded }: Installation): Promise<void> {
  // What is in the store is read where it is.
  if (trail === undefined || embedded === undefined) return
  const replay = new ActivityReplay({ trail, table: embedded.activity })
  try {
    await replay.catchUp()
  } finally {
    await replay.close()
  }
}
