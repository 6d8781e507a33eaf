export const SUPERUSER = 'skein'
export const DATABASE = 'skein'
export const MAJOR_VERSION = '18'

/** For a small shop: durable, few connections, little memory when nobody is there. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '50',
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  max_wal_size: '512MB',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  huge_pages: 'off',
  // What is read is mostly in the machine's memory: having another process read each page takes longer.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The API logs refused statements; here they would fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

export function flags(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
