// `npm run backup`, or `npm run backup -- FILE`: keeps everything the shop knows in one file, while it runs or not.
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { BackupError } from '../db/backup/backup-file.ts'
import { openDatabase } from '../db/open-database.ts'
import { writeBackup } from '../db/backup/write-backup.ts'
import { readEnv } from '../kernel/env.ts'
import { openFiles } from '../kernel/open-files.ts'
import { inOneSentence } from '../kernel/in-one-sentence.ts'

async function backUp(wanted: string | undefined): Promise<void> {
  const env = readEnv()
  const file = wanted
    ? resolve(wanted)
    : join(
        env.dataDir,
        'backups',
        `skein-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}.backup`,
      )
  if (await stat(file).catch(() => null)) throw new BackupError(`${file} exists already: choose another name.`)
  await mkdir(dirname(file), { recursive: true })
  const database = await openDatabase(env, 'allowed')
  try {
    const { rows, files } = await writeBackup(file, {
      databaseUrl: database.url,
      dataDir: env.dataDir,
      files: await openFiles(env),
    })
    const { size } = await stat(file)
    console.log(
      `${rows.toLocaleString('en-US')} rows and ${files.toLocaleString('en-US')} files are kept in ${file} (${(size / 1e6).toFixed(1)} MB).`,
    )
  } finally {
    await database.close()
  }
}

try {
  await backUp(process.argv[2])
} catch (error) {
  console.error(inOneSentence(error))
  process.exitCode = 1
}
