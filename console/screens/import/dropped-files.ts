/** A file and its path below what was dropped or chosen, such as Ann/call-1.vtt. */
export interface Given {
  readonly path: string
  readonly file: File
}

/** Names that systems leave in folders and that are no calls. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'Thumbs.db'

/** All files of what was dropped, folders with all that is in them. */
export async function droppedFiles(items: DataTransferItemList): Promise<readonly Given[]> {
  // Read at once: the list is empty when the event is over.
  const entries = [...items].flatMap(item => item.webkitGetAsEntry() ?? [])
  const found = await Promise.all(entries.map(filesIn))
  return found.flat()
}

export function chosenFiles(files: FileList): readonly Given[] {
  return [...files]
    .filter(file => !isHidden(file.name))
    .map(file => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }))
}

async function filesIn(entry: FileSystemEntry): Promise<readonly Given[]> {
  if (isHidden(entry.name)) return []
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const inside: FileSystemEntry[] = []
  for (;;) {
    // A reader gives some hundred at a time, and none in the end.
    // oxlint-disable-next-line no-await-in-loop
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    inside.push(...some)
  }
  const found = await Promise.all(inside.map(filesIn))
  return found.flat()
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}
