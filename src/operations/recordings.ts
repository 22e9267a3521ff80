import type { FileHandle } from 'node:fs/promises'
import { isAddress } from '../calls/call-record.js'
import { Problem } from '../base/problem.js'
import { MAGIC_BYTES, mediaTypeOf } from '../ingest/transcribe/recording-bytes.js'
import { findCall } from '../questions/find-call.js'
import { FileAnswer, operation } from './operation.js'

/** The recording of a call, for whoever may hear all of it: keys that see no text are refused, as nothing here says `textFree`. */
export const getRecording = operation({
  method: 'GET',
  url: '/api/v1/interactions/:interaction_id/recording',
  access: 'caller',
  summary: 'Get a recording',
  description:
    'The recording that the call names as its recording_url, where it lies in the directory of recordings; for whoever hears the call with its text. Ranges of bytes can be asked for.',
  file: ['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  run: async ({ answering, recordings }, request, caller) => {
    const asked = { interaction_id: request.param('interaction_id'), recorded: true }
    const { recording_url: place } = findCall.output.parse(await answering.answer(findCall, caller, asked, request))
    if (place !== undefined && isAddress(place)) {
      throw new Problem('not_found', 'The recording of this call is kept elsewhere: its recording_url says where')
    }
    const file = place === undefined ? undefined : await recordings.open(caller.project_id, place)
    try {
      const type = file === undefined ? undefined : await kindOf(file)
      if (file === undefined || type === undefined) throw new Problem('not_found', 'This call has no recording here')
      return await FileAnswer.of(file, { type })
    } catch (error) {
      await file?.close()
      throw error
    }
  },
})

/** By what it holds, whatever its name says. */
async function kindOf(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
  return mediaTypeOf(buffer.subarray(0, bytesRead))
}
