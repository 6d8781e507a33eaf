import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { processRequest, type FileUpload } from 'graphql-upload-minimal'
import { limits } from '#schema/rules/limits'
import { ownerLimits } from '#schema/rules/owner-limits'
import { refuse } from '../kernel/errors.ts'
import { NOT_UTF8 } from './json-body.ts'
import { Problem } from './problem.ts'

/** No file may be larger; each kind has its own, lower limit, and a message to go with it. */
const MAX_FILE_BYTES = Math.max(limits.pictureBytes, ownerLimits.csvBytes, ownerLimits.download.bytes) + 1
/** Of each of the two fields before the file. */
const MAX_FIELD_BYTES = 100_000
/** How much of a refused upload is still read, so that the client gets to see why. Honest clients send no more. */
const PATIENCE_MS = 15_000
const PATIENCE_BYTES = 64 * 1024 * 1024

/**
 * Lets the routes of this scope take `multipart/form-data` as the GraphQL multipart request specification says: files
 * arrive as a stream while the operation runs, and none is kept here.
 */
export function acceptUploads(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isMultipart(request)) return
    // The preflight header is what keeps other sites' forms out, and it is asked for before anything is read.
    if (!request.headers['apollo-require-preflight'] && !request.headers['x-apollo-operation-name']) {
      throw new Problem(400, 'BAD_REQUEST', 'A multipart request needs the header `apollo-require-preflight: true`.')
    }
    const fields = { areText: true }
    try {
      request.body = await processRequest(guarded(request.raw, fields), reply.raw, {
        maxFieldSize: MAX_FIELD_BYTES,
        maxFileSize: MAX_FILE_BYTES,
        maxFiles: 1,
      })
    } catch (error) {
      const { status = 400, message } = error as { status?: number; message: string }
      throw new Problem(status >= 400 && status < 500 ? status : 400, 'BAD_REQUEST', message)
    }
    if (!fields.areText) throw new Problem(400, 'BAD_REQUEST', NOT_UTF8)
  })
  app.addHook('onSend', drain)
}

/** What the parser writes for bytes that are no UTF-8. Nobody else can tell it from the same sign in a text. */
const LOST = '\uFFFD'

/**
 * The parser fails a second time when it is ended after a malformed part, and graphql-upload-minimal 1.6 listens only
 * once: without another listener a stranger's request would end the process. And it repairs texts that are no UTF-8: a
 * field that holds the sign for that is looked up in the bytes as they came.
 */
function guarded(raw: IncomingMessage, fields: { areText: boolean }): IncomingMessage {
  const pipe = raw.pipe.bind(raw)
  raw.pipe = parser => {
    const come: Buffer[] = []
    let length = 0
    const keep = (data: Buffer) => {
      length += data.length
      if (length > MAX_FIELD_BYTES * 3) stopKeeping()
      else come.push(data)
    }
    raw.on('data', keep)
    const stopKeeping = () => void raw.off('data', keep)
    parser.on('error', stopKeeping).on('close', stopKeeping).on('file', stopKeeping)
    parser.on('field', (_name: string, value: string) => {
      if (value.includes(LOST) && !Buffer.concat(come).includes(value)) fields.areText = false
    })
    return pipe(parser)
  }
  return raw
}

const isMultipart = ({ headers }: FastifyRequest) => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/**
 * Most clients look for the answer only after they have sent everything, and the next request of the connection waits
 * behind it: what is left of an upload is thrown away. A client that sends more than a bounded rest is answered and disconnected.
 */
export async function drain(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { raw } = request
  if (!isMultipart(request) || raw.readableEnded || raw.destroyed) return
  const over = await new Promise<boolean>(resolve => {
    const timer = setTimeout(finish, PATIENCE_MS, false)
    let left = PATIENCE_BYTES
    function finish(over: boolean) {
      clearTimeout(timer)
      resolve(over)
    }
    const ended = () => finish(true)
    raw.once('end', ended).once('close', ended).once('error', ended)
    raw.unpipe()
    raw.on('data', (data: Buffer) => {
      left -= data.length
      if (left < 0) finish(false)
    })
    raw.resume()
  })
  if (!over) reply.header('connection', 'close')
}

/** The file a client announced, as a stream; refused when the request does not hold it after all. */
export async function openUpload(upload: Promise<FileUpload>): Promise<{ name: string; content: Readable }> {
  const didNotArrive = () => refuse('FILE_UNREADABLE', 'This file did not arrive. Please choose it again.')
  const { filename, createReadStream } = await upload.catch(() => {
    throw didNotArrive()
  })
  if (filename?.includes(LOST))
    throw refuse('FILE_UNREADABLE', 'The name of this file is not in UTF-8. Please give it another one.')
  try {
    return { name: filename, content: createReadStream() }
  } catch {
    throw didNotArrive()
  }
}

/** The whole of a stream, or null when it is longer than `limit` bytes; the rest is then not read. */
export async function readUpTo(stream: Readable, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) return null
      chunks.push(chunk)
    }
  } catch {
    throw refuse('FILE_UNREADABLE', 'The upload was cut short. Please try again.')
  }
  return Buffer.concat(chunks, length)
}
