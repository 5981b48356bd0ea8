// Tables built for a test, in memory and in a folder of their own.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tables/builder.h"
#include "tables/table_file.h"

namespace crossboard::tables {

using FileMap = std::map<std::string, std::string>;  // contents by name

inline void build(TablesBuilder& builder, int pieces, FileMap& files) {
    for (const Slice& slice : slices_with(pieces))
        if (!files.count(file_name(slice, Content::outcomes)))
            for (auto& [name, bytes] : builder.build(slice, [](double) { return false; }))
                files[name] = std::move(bytes);
}

inline FileMap build_all(int pieces, int workers) {
    FileMap files;
    TablesBuilder builder(workers);
    for (int size = 2; size <= pieces; ++size) build(builder, size, files);
    return files;
}

struct Folder {
    explicit Folder(const FileMap& files) {
        std::string name = (std::filesystem::temp_directory_path() / "crossboard-XXXXXX").string();
        path = mkdtemp(name.data());
        for (const auto& [file, bytes] : files)
            std::ofstream(path / file, std::ios::binary) << bytes;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path path;
};

}  // namespace crossboard::tables
