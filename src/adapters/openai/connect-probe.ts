/** Whether a server takes connections; answers within `ms`. */
export type ConnectProbe = (baseURL: string, ms: number) => Promise<boolean>;

/**
 * Opens a bare TCP connection and closes it. fetch can't say whether it waits for a connection or for an answer, and a
 * model may think long before its first byte: so a silent call is looked at from the side. Where sockets can't be
 * opened (browsers) or fetch goes through a proxy, nothing can be said, and the answer is yes.
 */
export const probeConnection: ConnectProbe = async (baseURL, ms) => {
  const dispatcher = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')];
  if (dispatcher !== undefined && dispatcher?.constructor?.name !== 'Agent') return true;
  let net: typeof import('node:net');
  try {
    net = await import('node:net');
  } catch {
    return true;
  }
  const url = new URL(baseURL);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const socket = net.connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    const settle = (reached: boolean): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(ms, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
};
