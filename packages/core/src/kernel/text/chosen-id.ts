/** An id that an author chooses, such as that of a requirement or of a part of a contract. */
export const CHOSEN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;
