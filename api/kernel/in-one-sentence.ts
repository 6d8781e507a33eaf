/** One clear sentence for what an owner can put right; everything else keeps its stack. */
export function inOneSentence(error: unknown): string {
  const { code, port, name, message, stack } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop the other program, or choose another one with PORT or PAYPAL_SIMULATOR_PORT.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR')
    return `Cannot write: ${message}. Choose another place with DATA_DIR.`
  if (['EnvError', 'PostgresError', 'DatabaseError', 'DataDirInUse', 'BackupError'].includes(name)) return message
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || name === 'DriverException')
    return `Cannot use the database: ${message}`
  return stack ?? String(error)
}
