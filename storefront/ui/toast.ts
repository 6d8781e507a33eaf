import type { ToastOptions } from 'react-hot-toast/headless'

type Options = Pick<ToastOptions, 'position' | 'duration'>

/** Short messages in the corner of the screen; app/Toaster.tsx shows them. The same message is there only once. */
export const notify = {
  success: (message: string, options?: Options) => show(toast => toast.success(message, { id: message, ...options })),
  error: (message: string, options?: Options) => show(toast => toast.error(message, { id: message, ...options })),
  warning: (message: string, options?: Options) =>
    show(toast => toast(message, { id: message, ...options, className: 'warning' })),
}

/** The library is loaded with the first one. */
function show(call: (toast: typeof import('react-hot-toast/headless').default) => void) {
  void import('react-hot-toast/headless').then(module => call(module.default))
}
