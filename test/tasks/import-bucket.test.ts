import dns from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { AwsClient } from 'aws4fetch'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Bucket, type BucketAccess, objectsBelow } from '../../src/ingest/bucket/bucket.js'
import { refusal, silent } from '../support/access.js'
import { overOneStore, record } from './kinds-over.js'

// Each has a bucket, or a part of one, of its own; the calls of no two have the same ids.
const kindsOver = overOneStore('p')

const SECRET = 'S3RVER'
const aws = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: SECRET, service: 's3', region: 'us-east-1' })

let server: S3rver
let url: string

const directory = mkdtempSync(join(tmpdir(), 'earshot-test-'))
beforeAll(async () => {
  const configureBuckets = [{ name: 'calls' }]
  server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  url = `http://127.0.0.1:${(await server.run()).port}`
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

function bucketAt(address: string, more: Partial<BucketAccess> = {}): Bucket {
  return new Bucket({
    url: address,
    bucket: 'calls',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: SECRET,
    sessionToken: undefined,
    addressing: 'path',
    timeoutMs: 10_000,
    firstRetryMs: 1,
    ...more,
  })
}

let tests = 0
/** A folder of the server's bucket that no other test uses, and kinds over it. */
async function inBucket(log = silent) {
  tests += 1
  const root = `test-${tests}`
  const at = (key: string) => `${url}/calls/${root}/${key.split('/').map(encodeURIComponent).join('/')}`
  const bucket = bucketAt(url, { bucket: `calls/${root}` })
  return {
    bucket,
    ...(await kindsOver({ bucket }, log)),
    put: async (key: string, body: string) => {
      expect(await aws.fetch(at(key), { method: 'PUT', body })).toMatchObject({ status: 200 })
    },
    text: async (key: string) => await (await aws.fetch(at(key))).text(),
    keys: async () => {
      const listed = await (await aws.fetch(`${url}/calls?list-type=2&prefix=${root}/`)).text()
      return [...listed.matchAll(/<Key>([^<]*)/g)].map(([, key = '']) => key.slice(root.length + 1))
    },
  }
}

const DONE = '2026-03-15-run_1'

// It tells no second page on today's OpenSSL, and does not read a plus in what is copied.
describe('import_bucket, on a server of its API', () => {
  it('takes in whole objects and moves them, sets bad ones aside with a report, and lists none of them again', async () => {
    const { run, make, put, keys, text, ids } = await inBucket()
    await make('import_bucket', { folder: 'drop' })
    await put('p/drop/good.ndjson', `${record('g1')}\n${record('g2')}\n`)
    await put('p/drop/deep/er/übung 100% (1).ndjson', record('d1'))
    await put('p/drop/bad.ndjson', `${record('b1')}\n{"session_id":7}\n${record('b2')}\nnonsense\n`)
    await put('p/drop/half.ndjson.part', record('h1'))
    await put('p/drop/.hidden/x.ndjson', record('h2'))
    const { summary, result } = await run('import_bucket', { folder: 'drop' })
    expect(result).toEqual({
      files_done: 2,
      files_failed: 1,
      files_waiting: 0,
      files_refused: 0,
      calls_stored: 5,
      calls_replaced: 0,
      calls_evaluated: 0,
      records_rejected: 2,
    })
    expect(summary).toBe('5 calls stored (0 replaced) from 3 files; 1 files set aside with 2 rejected records')
    expect(await ids()).toEqual(['b1', 'b2', 'd1', 'g1', 'g2'])
    expect((await keys()).sort()).toEqual([
      'p/drop/.hidden/x.ndjson',
      `p/drop/done/${DONE}/deep/er/übung 100% (1).ndjson`,
      `p/drop/done/${DONE}/good.ndjson`,
      `p/drop/failed/${DONE}/bad.ndjson`,
      `p/drop/failed/${DONE}/bad.ndjson.rejects.ndjson`,
      'p/drop/half.ndjson.part',
    ])
    const report = (await text(`p/drop/failed/${DONE}/bad.ndjson.rejects.ndjson`)).trim().split('\n')
    expect(report.map(line => JSON.parse(line).line)).toEqual([2, 4])
    expect((await run('import_bucket', { folder: 'drop' })).summary).toBe('The folder is empty')
  })

  it('replaces a call that comes again, and names those without an id by their place', async () => {
    const { run, put, ids } = await inBucket()
    const cue = 'WEBVTT\n\n00:00.000 --> 00:04.000\n<v Agent>Thank you for calling Acme, this is Ana.\n'
    const named = '\n00:04.000 --> 00:06.000\n<v Customer>Hello.\n'
    await put('p/drop/a.ndjson', record('a'))
    await put('p/drop/ana/call-1.vtt', cue + named)
    expect((await run('import_bucket', { folder: 'drop' })).result).toMatchObject({ calls_stored: 1, files_failed: 1 })
    await put('p/drop/a.ndjson', record('a', { score: 4 }))
    expect((await run('import_bucket', { folder: 'p/drop' })).result).toMatchObject({
      calls_stored: 1,
      calls_replaced: 1,
    })
    expect(await ids()).toEqual(['a'])
  })

  it('sees only what lies below the project’s own id, however its folder is named', async () => {
    const { run, put, ids, keys } = await inBucket()
    for (const key of ['q/drop/q.ndjson', 'drop/all.ndjson', 'pp/drop/x.ndjson', 'p.ndjson']) {
      await put(key, record('theirs'))
    }
    for (const folder of ['q', 'q/drop', 'drop', 'p']) {
      expect((await run('import_bucket', { folder })).summary).toBe('The folder is empty')
    }
    for (const folder of ['../q/drop', '/q/drop', 'x/../../q', '.', 'q\u0000']) {
      expect(await refusal(() => run('import_bucket', { folder }))).toMatch(/must/)
    }
    expect([await ids(), (await keys()).length]).toEqual([[], 4])
  })

  it('says which setting is wrong, and never what it holds', async () => {
    const said = async (more: Partial<BucketAccess>) => {
      const { run } = await kindsOver({ bucket: bucketAt(url, more) })
      return await refusal(() => run('import_bucket', { folder: 'drop' }))
    }
    expect(await said({ secretAccessKey: 'wrong-secret-x' })).toBe(
      'not_configured: The bucket refuses the credentials (403 SignatureDoesNotMatch): check EARSHOT_S3_ACCESS_KEY_ID, ' +
        'EARSHOT_S3_SECRET_ACCESS_KEY and, where they are for a time, EARSHOT_S3_SESSION_TOKEN',
    )
    expect(await said({ accessKeyId: 'nobody' })).toMatch(/refuses the credentials \(403 InvalidAccessKeyId\)/)
    expect(await said({ bucket: 'other' })).toMatch(
      /^not_configured: There is no such bucket \(404 NoSuchBucket\): check/,
    )
    const { run } = await kindsOver()
    expect(await refusal(() => run('import_bucket', { folder: 'drop' }))).toBe(
      'invalid_input: Tasks of this kind need EARSHOT_S3_BUCKET, which is not set',
    )
  })
})

type Answer = (request: IncomingMessage, response: ServerResponse, key: string) => void

/** No server of the API but a fake of it, to answer as no good one does: lists `keys`, and the rest is for `answer`. */
async function aFake(keys: readonly string[], answer: Answer, more: Partial<BucketAccess> = {}) {
  const asked: string[] = []
  const fake = createServer((request, response) => {
    const at = new URL(request.url ?? '', 'http://x')
    const key = decodeURIComponent(at.pathname).replace('/calls/', '')
    asked.push(`${request.method} ${key}${at.searchParams.has('list-type') ? '?' : ''}`)
    if (at.searchParams.has('list-type')) {
      if (keys.length === 0) answer(request, response, key)
      else response.end(listing(keys))
    } else answer(request, response, key)
  })
  await new Promise<void>(resolve => void fake.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    fake.closeAllConnections()
    fake.close()
  })
  const address = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
  return { address, asked, bucket: bucketAt(address, { timeoutMs: 60_000, ...more }) }
}

/** Kinds over a fake. */
async function badBucket(...given: Parameters<typeof aFake>) {
  const { asked, bucket } = await aFake(...given)
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void logged.push(line) })
  const kinds = await kindsOver({ bucket }, log)
  return { ...kinds, asked, logged, go: () => kinds.run('import_bucket', { folder: 'drop' }) }
}

const contents = (key: string, bytes: number) =>
  `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${bytes}</Size><LastModified>2026-03-01T00:00:00.000Z</LastModified><ETag>&quot;e&quot;</ETag></Contents>`

function listing(keys: readonly string[], more = '<IsTruncated>false</IsTruncated>'): string {
  const all = keys.map(key => contents(key, key.includes('huge') ? 6 * 1024 ** 3 : 200))
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>${more}${all.join('')}</ListBucketResult>`
}

/** Gives each object as a call named by its key, and does what else it is asked. */
const good: Answer = (request, response, key) => {
  if (request.method === 'GET') response.end(record(key.replaceAll('/', '-')))
  else response.end('<CopyObjectResult/>')
}

describe('import_bucket, on what answers badly', () => {
  it('touches no object whose name leads elsewhere or can’t be kept, tells of it by name, and takes the rest', async () => {
    const hostile = [
      'p/drop/../../q/secret.ndjson',
      'p/drop/a/./b.ndjson',
      'p/drop/a//b.ndjson',
      'p/drop/nul\u0000.ndjson',
      'p/drop/line\nbreak.ndjson',
      'p/drop/back\\slash.ndjson',
      `p/drop/${'n'.repeat(1_010)}.json`,
      'p/drop/huge.json',
    ]
    const { go, asked, logged, ids } = await badBucket([...hostile, 'p/drop/good.ndjson'], good)
    const { summary, result } = await go()
    expect(result).toMatchObject({ files_done: 1, files_refused: hostile.length, calls_stored: 1 })
    expect(summary).toBe(
      '1 calls stored (0 replaced) from 1 files; 8 refused by their names or size and left where they are: the log names them',
    )
    expect(await ids()).toEqual(['p-drop-good.ndjson'])
    expect(asked.filter(one => !one.endsWith('?'))).toEqual([
      'GET p/drop/good.ndjson',
      `PUT p/drop/done/${DONE}/good.ndjson`,
      'DELETE p/drop/good.ndjson',
    ])
    expect(logged).toHaveLength(hostile.length)
    expect(logged[0]).toContain('must not lead out of the directory')
    expect(logged.join('')).not.toContain('\u0000')
  })

  it('refuses objects of others in a listing', async () => {
    const { go, asked } = await badBucket(['q/drop/theirs.ndjson'], good)
    expect(await refusal(go)).toBe('not_configured: The bucket lists objects that it was not asked for')
    expect(asked.filter(one => !one.endsWith('?'))).toEqual([])
  })

  it('leaves an object that can’t be read where it is, and takes those beside it', async () => {
    const keys = ['1-denied', '2-archived', '3-gone', '4-cut', '5-good'].map(name => `p/drop/${name}.ndjson`)
    const { go, asked, logged, ids } = await badBucket(keys, (request, response, key) => {
      const refuse = (status: number, code: string) =>
        response.writeHead(status).end(`<Error><Code>${code}</Code><AWSAccessKeyId>S3RVER</AWSAccessKeyId></Error>`)
      if (key === keys[0]) refuse(403, 'AccessDenied')
      else if (key === keys[1]) refuse(403, 'InvalidObjectState')
      else if (key === keys[2]) refuse(412, 'PreconditionFailed')
      else if (key === keys[3]) {
        response.writeHead(200, { 'content-length': '200' })
        response.write(record('half').slice(0, 20), () => response.destroy())
      } else good(request, response, key)
    })
    expect((await go()).result).toMatchObject({
      files_done: 1,
      files_failed: 0,
      files_waiting: 4,
      calls_stored: 1,
      records_rejected: 0,
    })
    expect(await ids()).toEqual(['p-drop-5-good.ndjson'])
    expect(asked.filter(one => /^(PUT|DELETE)/.test(one))).toHaveLength(2)
    expect(logged.join('')).toMatch(/is archived, and has to be restored first/)
    expect(logged.join('')).not.toContain('S3RVER')
  })

  it('ends a run when the bucket itself goes away, in place of asking it for each object', async () => {
    const keys = Array.from({ length: 60 }, (_, n) => `p/drop/${n}.ndjson`)
    const { go, asked } = await badBucket(keys, (_, response) => response.destroy())
    expect(await refusal(go)).toMatch(/^not_configured: The bucket can't be reached, or broke off \(ECONNRESET\)$/)
    expect(new Set(asked.filter(one => one.startsWith('GET') && !one.endsWith('?'))).size).toBeLessThan(25)
  })

  it('leaves what was written anew while it was moved, and ends where it must not move', async () => {
    const anew = await badBucket(['p/drop/a.ndjson'], (request, response, key) => {
      if (request.method !== 'PUT') good(request, response, key)
      else response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>')
    })
    expect((await anew.go()).result).toMatchObject({ files_waiting: 1, files_done: 0 })
    expect(anew.asked).not.toContain('DELETE p/drop/a.ndjson')
    const denied = await badBucket(['p/drop/a.ndjson'], (request, response, key) => {
      if (request.method !== 'PUT') good(request, response, key)
      else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    })
    expect(await refusal(denied.go)).toMatch(
      /does not allow it \(403 AccessDenied\): its credentials need s3:ListBucket/,
    )
    const late = await badBucket(['p/drop/a.ndjson'], (request, response, key) => {
      if (request.method !== 'PUT') good(request, response, key)
      else response.end('  <Error><Code>InternalError</Code></Error>')
    })
    expect(await refusal(late.go)).toBe('not_configured: The bucket failed (500 InternalError)')
    expect(late.asked).not.toContain('DELETE p/drop/a.ndjson')
  })

  it('ends when it is interrupted while it waits', async () => {
    const abort = new AbortController()
    const { run } = await badBucket([], () => abort.abort(new Error('stop')))
    expect(await refusal(() => run('import_bucket', { folder: 'drop' }, abort.signal))).toBe('Error: stop')
  })
})

describe('a bucket', () => {
  it.each<[string, Answer, RegExp, Partial<BucketAccess>?]>([
    ['never answers', () => {}, /^Error: The bucket did not answer within 1 s$/, { timeoutMs: 300 }],
    [
      'stops in the middle',
      (_, response) => void response.writeHead(200).write('<ListBucketResult>'),
      /sent nothing more for 1 s$/,
      { timeoutMs: 300 },
    ],
    [
      'sends elsewhere',
      (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      /to be asked elsewhere \(307\), which is not followed/,
    ],
    ['answers a page', (_, response) => response.end('<html><body>Welcome</body></html>'), /no listing of S3/],
    ['answers nothing', (_, response) => response.end(), /no listing of S3/],
    ['is cut off', (_, response) => response.end(listing(['p/drop/a']).slice(0, -10)), /no listing of S3/],
    ['answers garbage', (_, response) => response.end('<ListBucketResult><Contents>'), /no listing of S3/],
    [
      'answers entities of entities',
      (_, response) =>
        response.end(
          '<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>',
        ),
      /no listing of S3/,
    ],
    [
      'answers without end',
      (_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('<a>'.repeat(20_000)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      /an answer of more than 16777216 bytes/,
    ],
    [
      'lists the same page again and again',
      (_, response) =>
        response.end(listing([], '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>')),
      /lists the same page again/,
    ],
    [
      'lists a part and no place to go on',
      (_, response) => response.end(listing([], '<IsTruncated>true</IsTruncated>')),
      /does not say where the next one begins/,
    ],
    ['refuses', (_, response) => response.writeHead(403).end('no'), /does not allow it \(403\)/],
    [
      'is overloaded',
      (_, response) => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
      /503 SlowDown/,
    ],
  ])('says so of one that %s', async (_, answer, said, access) => {
    const { bucket } = await aFake([], answer, access)
    const all = objectsBelow(bucket, 'p/drop/', [], AbortSignal.timeout(60_000))
    expect(await refusal(async () => await all.next())).toMatch(said)
  })

  it('is listed page by page, past what was moved and not through it', async () => {
    const keys = [
      'a',
      'b',
      'c',
      'done/1',
      'done/2',
      'done/3',
      'done/4',
      'done/5',
      'e',
      'failed/1',
      'failed/2',
      'g',
      'h',
    ]
    const pages: unknown[] = []
    const page: Bucket['page'] = async (prefix, { behind }) => {
      pages.push(behind)
      const last = behind === undefined ? '' : 'key' in behind ? behind.key : behind.token
      const left = keys.map(key => `${prefix}${key}`).filter(key => key > last)
      const objects = left.slice(0, 2).map(key => ({ key, bytes: 1, changedMs: 0, etag: 'e' }))
      return { objects, next: left.length > 2 ? objects.at(-1)?.key : undefined }
    }
    const found: string[] = []
    const all = objectsBelow({ page }, 'p/', ['done', 'failed'], AbortSignal.timeout(60_000))
    for await (const { key } of all) found.push(key)
    expect(found).toEqual(['p/a', 'p/b', 'p/c', 'p/e', 'p/g', 'p/h'])
    expect(pages).toEqual([undefined, { token: 'p/b' }, { key: 'p/done/\u{10ffff}' }, { key: 'p/failed/\u{10ffff}' }])
  })

  it.each([
    ['a key with &amp;amp; and &#34;&#x22;', '&quot;1&quot;', 'a key with &amp; and ""', '"1"'],
    ['a+b%2Bc%C3%A4', '&#34;1&#34;', 'a b+cä', '"1"', '<EncodingType>url</EncodingType>'],
    [' a+b%2B', '1', ' a+b%2B', '1'],
  ])('has keys as they are, written %s', async (written, etag, key, told, more = '') => {
    const { bucket } = await aFake([], (_, response) =>
      response.end(
        `<ListBucketResult>${more}<IsTruncated>false</IsTruncated><Contents><Key>p/${written}</Key><Size>1</Size><LastModified>2026-03-01T00:00:00Z</LastModified><ETag>${etag}</ETag></Contents></ListBucketResult>`,
      ),
    )
    const { objects } = await bucket.page('p/', {}, AbortSignal.timeout(10_000))
    expect(objects).toEqual([{ key: `p/${key}`, bytes: 1, changedMs: Date.parse('2026-03-01'), etag: told }])
  })

  it('is asked by its name before the host, where that is wanted', async () => {
    const hosts: string[] = []
    const { address } = await aFake([], (request, response) => {
      hosts.push(`${request.headers.host} ${request.url?.split('?')[0]}`)
      response.end(listing([]))
    })
    const here = (_: string, __: object, found: (error: null, all: object[]) => void) =>
      found(null, [{ address: '127.0.0.1', family: 4 }])
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(here as unknown as typeof dns.lookup)
    onTestFinished(() => lookup.mockRestore())
    const { port } = new URL(address)
    const bucket = bucketAt(`http://s3.example.com:${port}`, { bucket: 'calls/in', addressing: 'virtual' })
    await bucket.page('p/', {}, AbortSignal.timeout(10_000))
    await bucket.write('p/ä b', 'x', AbortSignal.timeout(10_000))
    expect(hosts).toEqual([`calls.s3.example.com:${port} /`, `calls.s3.example.com:${port} /in/p/%C3%A4%20b`])
  })
})
