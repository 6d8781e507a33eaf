// `npm run restore -- FILE`: puts a backup's shop in place of none, with `--replace` in place of the one that is there.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError } from '../db/backup/backup-file.ts'
import { openDatabase } from '../db/open-database.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { readEnv } from '../kernel/env.ts'
import { openFiles } from '../kernel/open-files.ts'
import { inOneSentence } from '../kernel/in-one-sentence.ts'

async function restore(): Promise<void> {
  const {
    values,
    positionals: [file],
  } = parseArgs({ allowPositionals: true, options: { replace: { type: 'boolean', default: false } } })
  if (!file) throw new BackupError('Say which backup: npm run restore -- FILE')
  const env = readEnv()
  const database = await openDatabase(env, 'refused')
  try {
    const { rows, files, takenAt } = await restoreBackup(resolve(file), {
      databaseUrl: database.url,
      files: await openFiles(env),
      replace: values.replace,
    })
    console.log(
      `The shop of ${takenAt} is back: ${rows.toLocaleString('en-US')} rows and ${files.toLocaleString('en-US')} files. Everyone has to sign in again.`,
    )
  } finally {
    await database.close()
  }
}

try {
  await restore()
} catch (error) {
  console.error(inOneSentence(error))
  process.exitCode = 1
}
