/** Whether user modules were loaded into this process. They may leave handles open that would keep the process alive for ever. */
export const foreignCode = { isLoaded: false };
