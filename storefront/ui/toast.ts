import type { ToastOptions } from 'react-hot-toast/headless'

type Options = Pick<ToastOptions, 'position' | 'duration' | 'id'>

/** Short messages in the corner of the screen; app/Toaster.tsx shows them. The library is loaded with the first one. */
export const notify = {
  success: (message: string, options?: Options) => show(toast => toast.success(message, options)),
  error: (message: string, options?: Options) => show(toast => toast.error(message, options)),
  warning: (message: string, options?: Options) => show(toast => toast(message, { ...options, className: 'warning' })),
}

function show(call: (toast: typeof import('react-hot-toast/headless').default) => void) {
  void import('react-hot-toast/headless').then(module => call(module.default))
}
