import { existsSync, mkdtempSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Browser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

/**
 * The browser for tests, ready for Playwright's `launchOptions`. It comes from npm and needs no system packages, so
 * the same one runs everywhere; $CHROMIUM names another.
 */
export async function chromium(): Promise<Browser> {
  const chosen = process.env.CHROMIUM
  if (chosen) return { executablePath: chosen, args: ARGS, env: environment({}) }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `There is no browser from npm for ${process.platform} ${process.arch}: set CHROMIUM to the path of a Chromium or Chrome.`,
    )
  }
  const home = await unpacked()
  return {
    executablePath: join(home, 'chromium'),
    args: ARGS,
    // For the browser alone: these libraries are older than what other programs here may want.
    env: environment({ LD_LIBRARY_PATH: join(home, 'al2023/lib'), FONTCONFIG_FILE: join(home, 'fonts/fonts.conf') }),
  }
}

const ARGS = [
  // Containers and root have no sandbox to offer; the pages are our own.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // Only the page under test uses the network.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The last of these switches counts, so what Playwright switches off is named again.
  `--disable-features=${[
    // With it, a window that one site opens of another, as a payment's is, gets a new frame within the same process. About one time in a
    // hundred this Chromium then tells the focus to the frame that is gone, and ends.
    'DefaultSiteInstanceGroups',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'PreconnectToSearch',
  ].join(',')}`,
]

const ARCHIVES = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** Unpacked once per version, beside the packages it came with. */
async function unpacked(): Promise<string> {
  const packageDir = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const cache = join(packageDir, '../../.cache')
  const home = join(cache, `chromium-${version}`)
  if (existsSync(home)) return home
  mkdirSync(cache, { recursive: true })
  const unfinished = mkdtempSync(`${home}.new-`)
  try {
    await unpack(join(packageDir, 'bin'), unfinished)
    writeFileSync(join(unfinished, 'fonts/fonts.conf'), fontsConf(home))
    renameSync(unfinished, home)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another test run may have been first.
    if (!existsSync(home)) throw error
  }
  return home
}

/** The package unpacks into the system's temporary directory and nowhere else. */
async function unpack(archives: string, into: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const before = process.env.TMPDIR
  process.env.TMPDIR = into
  try {
    await Promise.all(ARCHIVES.map(name => inflate(join(archives, name))))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

/** Its own fonts first, so that text has glyphs on a machine without fonts. */
function fontsConf(home: string): string {
  const dirs = [join(home, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${dirs.map(dir => `  <dir>${dir}</dir>`).join('\n')}
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

function environment(extra: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // A user without a home (a container's) gets one to keep the profile in.
  return { HOME: '/tmp', ...Object.fromEntries(inherited), ...extra }
}
