/** Whether code of the user was loaded into this process. It may leave things open that would keep the process alive for ever. */
export const foreignCode = { isLoaded: false };
