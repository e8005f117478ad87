// The text of a story file, as far as the page changes it, and how it says what is to be changed.

export type Choice = {
    label: string,
    goto: string,
    key?: string,
    when?: string | number,
    set?: Record<string, string | number>,
    immediately?: boolean,
};

export type Segment = {
    media: string,
    title?: string,
    role?: string,
    dissolve?: string | number,
    events?: { at: string | number, do: string }[],
    choices?: Choice[],
    default?: string,
    loop?: boolean,
    then?: string,
};

export type StoryText = {
    title: string,
    start: string,
    variables?: Record<string, number>,
    segments: Record<string, Segment>,
};

/** A change of the file's text; see the server's StoryChangeRequest. */
export type Change = { path: string, value?: string, time?: number, key?: string };

/** What is changed in a story as it is when its turn comes. */
export type Edit = (story: StoryText) => Change[];

/** A media file that a segment may play. */
export type Clip = { name: string, file: string, media?: import("../shared/server").Media };
