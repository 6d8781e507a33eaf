// Runs scripts of package.json at the same time, since each keeps hardly more than one processor busy. Prints the output
// of each in one piece, one after the other. Exits with 1 when one of them failed.
import { spawn } from 'node:child_process'

const ends = process.argv.slice(2).map(
  name =>
    new Promise(resolve => {
      const said = []
      const script = spawn('npm', ['run', '--silent', name], { shell: process.platform === 'win32' })
      for (const stream of [script.stdout, script.stderr]) stream.on('data', part => said.push(part))
      script.on('error', error => said.push(Buffer.from(`${error.message}\n`)))
      script.on('close', code => {
        process.stdout.write(Buffer.concat(said))
        resolve(code)
      })
    }),
)
process.exitCode = (await Promise.all(ends)).every(code => code === 0) ? 0 : 1
