// What browsers have, and TypeScript doesn't know. The names that begin with "webkit" are Safari's own.
declare global {
    var ManagedMediaSource: typeof MediaSource | undefined;
    interface SourceBufferEventMap { bufferedchange: Event & { removedRanges: TimeRanges } }
    interface Document {
        webkitFullscreenEnabled?: boolean;
        webkitFullscreenElement?: Element | null;
        webkitExitFullscreen(): undefined;
    }
    interface Element { webkitRequestFullscreen(): undefined }
    interface HTMLElement { showPopover(): undefined; hidePopover(): undefined }
    interface HTMLVideoElement {
        webkitEnterFullscreen?(): void;
        webkitPresentationMode?: string;
        webkitSupportsPresentationMode?(mode: string): boolean;
        webkitSetPresentationMode(mode: string): void;
    }
    interface Array<T> {
        findLastIndex(isIt: (each: T) => boolean): number;
        toSpliced(start: number, count: number, ...items: T[]): T[];
        with(index: number, value: T): T[];
    }
    namespace Intl { function getCanonicalLocales(tag: string): string[] }
}

export {};
