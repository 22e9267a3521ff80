import { accessSync, constants, lstatSync, readdirSync, statfsSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../base/error-code.js'
import { brokenLink, foreignDirectory, refuseForeignDirectory } from '../../base/own-directory.js'
import { Problem } from '../../base/problem.js'
import { formatBytes } from '../../config/read.js'
import { controlSocketPath, pathFault } from '../../control/control-socket.js'
import { writtenInFuture } from '../written-in-future.js'
import { type Finding, findingsOf } from './finding.js'

const MiB = 1024 * 1024
const LITTLE = 2048 * MiB
const TOO_LITTLE = 256 * MiB

/** The data directory: whose it is, who may read it, room, and whether the clock went back. */
export function checkDirectory(dataDir: string, now = Date.now()): readonly Finding[] {
  const directory = resolve(dataDir)
  const link = brokenLink(directory)
  if (link !== undefined)
    return [findingsOf('Data directory').fail(`${directory} ${link}`, 'Mount or make what it leads to')]
  const stats = statSync(directory, { throwIfNoEntry: false })
  if (stats === undefined) return [missing(directory), checkDisk(existing(directory))]
  const rights = checkRights(directory, stats)
  if (rights.status === 'fail') return [rights]
  return [
    rights,
    ...checkOwner(directory),
    checkFiles(directory),
    checkDisk(directory),
    checkClock(directory, now),
    checkSocketPath(directory),
  ]
}

function missing(directory: string): Finding {
  const { ok, fail } = findingsOf('Data directory')
  const parent = existing(directory)
  if (writeFault(parent) === undefined) return ok(`${directory} is not there yet; the first start makes it`)
  return fail(`${directory} is not there, and ${parent} can't be written`, 'Make it and give it to this user')
}

function checkRights(directory: string, stats: Stats): Finding {
  const { ok, warn, fail } = findingsOf('Data directory')
  if (!stats.isDirectory()) return fail(`${directory} is no directory`, 'Set EARSHOT_DATA_DIR to a directory')
  const fault = writeFault(directory)
  if (fault === 'EROFS') {
    const advice = 'Find out why: a disk error (dmesg), a mount, a systemd unit without ReadWritePaths=, a container'
    return fail(`${directory} is on a file system that is read-only here`, advice)
  }
  if (fault !== undefined) {
    return fail(`${directory} can't be written by this user`, `Run as its owner, or: chown -R "$USER" ${directory}`)
  }
  const foreign = foreignDirectory(directory)
  if (foreign !== undefined) return fail(`${directory} ${foreign}`, 'Set EARSHOT_DATA_DIR to a directory in it')
  const open = stats.mode & 0o077
  if (open !== 0) return warn(`${directory} is open to others (${octal(stats.mode)})`, `chmod 700 ${directory}`)
  return ok(directory)
}

/** Secrets, the store and the trail: nobody else's business. */
function checkFiles(directory: string): Finding {
  const { ok, fail } = findingsOf('Files and secrets')
  const paths = [...readdirSync(directory), ...inside(directory, 'activity')].map(name => join(directory, name))
  const owner = statSync(directory).uid
  // A volume of a cluster may be root's, while what is in it is the service's.
  const foreign = owner === 0 ? [] : paths.filter(path => (statsOf(path)?.uid ?? owner) !== owner)
  if (foreign.length > 0) {
    const advice = `They were made by another user, mostly root: chown -R --reference=${directory} ${directory}`
    return fail(`${someOf(foreign)} not the directory owner's`, advice)
  }
  const open = paths.filter(path => ((statsOf(path)?.mode ?? 0) & 0o077) !== 0)
  if (open.length > 0) return fail(`${someOf(open)} readable by others`, `chmod -R go= ${directory}`)
  return ok(`${paths.length}, readable by their owner alone`)
}

function someOf([first, ...more]: readonly string[]): string {
  return more.length === 0 ? `${first} is` : `${first} and ${more.length} more are`
}

function checkDisk(directory: string): Finding {
  const { ok, warn, fail } = findingsOf('Disk space')
  const { bavail, bsize } = statfsSync(directory)
  const free = Math.floor((bavail * bsize) / MiB) * MiB
  const found = `${formatBytes(free)} free`
  if (free < TOO_LITTLE) return fail(found, 'Make room: without it nothing can be written, and no answer leaves')
  if (free < LITTLE) return warn(found, 'Make room: imports and large queries need it')
  return ok(found)
}

function checkClock(directory: string, now: number): Finding {
  const { ok, warn } = findingsOf('Clock')
  if (writtenInFuture(directory, now) === undefined) return ok(new Date(now).toISOString())
  const advice = 'Set the clock (timedatectl): admin tokens and times of use depend on it'
  return warn(`${new Date(now).toISOString()}, before the data was written last`, advice)
}

function checkSocketPath(directory: string): Finding {
  const { ok, warn } = findingsOf('Control socket')
  const path = controlSocketPath(directory)
  const fault = pathFault(path)
  if (fault === undefined) return ok(path)
  return warn(fault, 'Use a data directory with a shorter path')
}

function inside(directory: string, folder: string): readonly string[] {
  if (statsOf(join(directory, folder))?.isDirectory() !== true) return []
  return readdirSync(join(directory, folder)).map(name => join(folder, name))
}

/** The nearest directory above that is there. */
function existing(directory: string): string {
  return statsOf(directory) === undefined ? existing(dirname(directory)) : directory
}

/** A file may vanish between being listed and being looked at. */
function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** What a start as root is refused for. */
function checkOwner(directory: string): readonly Finding[] {
  try {
    refuseForeignDirectory(directory)
    return []
  } catch (error) {
    if (error instanceof Problem) return [findingsOf('Owner').fail(error.message, 'Run as its owner')]
    throw error
  }
}

/** The system's code for why this user can't write there, such as EACCES. */
function writeFault(directory: string): string | undefined {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return errorCode(error) ?? 'unknown'
  }
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}
