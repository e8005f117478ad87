// Made by Scripts/page-elements from player/index.html.

export interface Elements {
    "back": HTMLElementTagNameMap["button"];
    "captions": HTMLElementTagNameMap["div"];
    "captions-button": HTMLElementTagNameMap["button"];
    "card": HTMLElementTagNameMap["section"];
    "choices": HTMLElementTagNameMap["div"];
    "clock": HTMLElementTagNameMap["span"];
    "countdown": HTMLElementTagNameMap["div"];
    "full": HTMLElementTagNameMap["button"];
    "live": HTMLElementTagNameMap["div"];
    "map": HTMLElementTagNameMap["section"];
    "map-button": HTMLElementTagNameMap["button"];
    "mute": HTMLElementTagNameMap["button"];
    "offer": HTMLElementTagNameMap["div"];
    "play": HTMLElementTagNameMap["button"];
    "player": HTMLElementTagNameMap["main"];
    "progress": HTMLElementTagNameMap["div"];
    "scenes": HTMLElementTagNameMap["section"];
    "scenes-button": HTMLElementTagNameMap["button"];
    "settings": HTMLElementTagNameMap["section"];
    "settings-button": HTMLElementTagNameMap["button"];
    "spots": HTMLElementTagNameMap["div"];
    "stage": HTMLElementTagNameMap["div"];
    "standby": HTMLElementTagNameMap["video"];
    "time": HTMLElementTagNameMap["span"];
    "title": HTMLElementTagNameMap["h1"];
    "video": HTMLElementTagNameMap["video"];
    "volume": HTMLElementTagNameMap["input"];
    "words": HTMLElementTagNameMap["script"];
}

/** The ids of elements of a type. */
export type IdOf<Type> = {
    [Id in keyof Elements]: Elements[Id] extends Type ? Id : never
}[keyof Elements];
