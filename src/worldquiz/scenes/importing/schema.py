"""What a glTF header must be like, as far as we read it: numbers are numbers, lists are lists."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Index = Annotated[int, Field(ge=0)]


class _Lax(BaseModel):
    """Checks what it knows and leaves the rest."""

    model_config = ConfigDict(strict=True, extra="ignore")


class _Buffer(_Lax):
    uri: str | None = None
    byteLength: Index = 0  # noqa: N815


class _View(_Lax):
    buffer: Index = 0
    byteOffset: Index = 0  # noqa: N815
    byteLength: Index  # noqa: N815
    byteStride: Annotated[int, Field(ge=1, le=252)] | None = None  # noqa: N815


class _Accessor(_Lax):
    bufferView: Index | None = None  # noqa: N815
    byteOffset: Index = 0  # noqa: N815
    componentType: Literal[5120, 5121, 5122, 5123, 5125, 5126]  # noqa: N815
    count: Index
    type: Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]
    normalized: bool = False
    sparse: dict[str, Any] | None = None


class _Primitive(_Lax):
    attributes: dict[str, Index]
    indices: Index | None = None
    material: Index | None = None
    mode: Index = 4


class _Mesh(_Lax):
    name: str = ""
    primitives: list[_Primitive]


class _Node(_Lax):
    name: str = ""
    mesh: Index | None = None
    children: list[Index] = []
    matrix: Annotated[list[float], Field(min_length=16, max_length=16)] | None = None
    translation: Annotated[list[float], Field(min_length=3, max_length=3)] | None = None
    rotation: Annotated[list[float], Field(min_length=4, max_length=4)] | None = None
    scale: Annotated[list[float], Field(min_length=3, max_length=3)] | None = None


class _Image(_Lax):
    name: str = ""
    uri: str | None = None
    bufferView: Index | None = None  # noqa: N815
    mimeType: str = ""  # noqa: N815


class _Texture(_Lax):
    source: Index | None = None


class _Reference(_Lax):
    index: Index


class _Rough(_Lax):
    baseColorFactor: Annotated[list[float], Field(min_length=3, max_length=4)] | None = None  # noqa: N815
    baseColorTexture: _Reference | None = None  # noqa: N815


class _Glossy(_Lax):
    diffuseFactor: Annotated[list[float], Field(min_length=3, max_length=4)] | None = None  # noqa: N815
    diffuseTexture: _Reference | None = None  # noqa: N815


class _Extensions(_Lax):
    KHR_materials_pbrSpecularGlossiness: _Glossy | None = None


class _Material(_Lax):
    name: str = ""
    alphaMode: str = "OPAQUE"  # noqa: N815
    pbrMetallicRoughness: _Rough | None = None  # noqa: N815
    extensions: _Extensions | None = None


class _Scene(_Lax):
    nodes: list[Index] = []


class _Header(_Lax):
    accessors: list[_Accessor] = []
    bufferViews: list[_View] = []  # noqa: N815
    buffers: list[_Buffer] = []
    extensionsRequired: list[str] = []  # noqa: N815
    images: list[_Image] = []
    materials: list[_Material] = []
    meshes: list[_Mesh] = []
    nodes: list[_Node] = []
    scene: Index = 0
    scenes: list[_Scene] = []
    textures: list[_Texture] = []


def wrong(header: dict[str, Any]) -> tuple[str, str] | None:
    """Return where a header is not as it must be ("nodes/3/mesh") and why; none where it is."""
    try:
        _Header.model_validate(header)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return "/".join(map(str, first["loc"])), first["msg"]
    return None
