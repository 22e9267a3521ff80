/** Has the browser keep something as a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/**
 * Keeps an answer under the name that the service gives it, once all of it is here: one that breaks off is none.
 * @param otherwise its name where the service gives none
 */
export async function saveAnswer(answer: Response, otherwise: string): Promise<void> {
  const named = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  saveFile(await answer.blob(), named ?? otherwise)
}
