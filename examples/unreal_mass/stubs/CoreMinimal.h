// Stand-ins for what the example uses of Unreal's core, written for its test: the names, and no more than
// they need here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using int32 = std::int32_t;
using uint32 = std::uint32_t;
using SIZE_T = std::size_t;

inline constexpr int32 INDEX_NONE = -1;
inline constexpr float UE_SMALL_NUMBER = 1.e-8f;

#define TEXT(text) text
#define UCLASS(...)
#define UPROPERTY(...)
#define GENERATED_BODY()

// What was logged, for the test.
inline std::vector<std::string> StubLog;
#define DEFINE_LOG_CATEGORY_STATIC(name, ...) [[maybe_unused]] static const char* const name = #name
#define UE_LOG(category, verbosity, format, text) StubLog.push_back(std::string(category) + ": " + (text))

template <class T>
class TArray {
public:
    int32 Num() const { return static_cast<int32>(Items.size()); }
    T* GetData() { return Items.data(); }
    const T* GetData() const { return Items.data(); }
    T& operator[](int32 Index) { return Items.at(static_cast<std::size_t>(Index)); }
    const T& operator[](int32 Index) const { return Items.at(static_cast<std::size_t>(Index)); }
    void Reset() { Items.clear(); }
    void SetNumUninitialized(int32 Count) { Items.resize(static_cast<std::size_t>(Count)); }
    int32 Add(const T& Item) {
        Items.push_back(Item);
        return Num() - 1;
    }

private:
    std::vector<T> Items;
};

template <class T>
class TArrayView {
public:
    TArrayView() = default;
    TArrayView(T* Begin, int32 Number) : First(Begin), Count(Number) {}
    template <class U>
    TArrayView(const TArray<U>& Array) : First(Array.GetData()), Count(Array.Num()) {}
    int32 Num() const { return Count; }
    T* GetData() const { return First; }
    T& operator[](int32 Index) const { return First[Index]; }
    T* begin() const { return First; }
    T* end() const { return First + Count; }

private:
    T* First = nullptr;
    int32 Count = 0;
};
template <class T>
using TConstArrayView = TArrayView<const T>;

struct FMath {
    template <class T>
    static T Max(T One, T Other) {
        return std::max(One, Other);
    }
    template <class T>
    static T Min(T One, T Other) {
        return std::min(One, Other);
    }
};

struct FVector {
    double X = 0, Y = 0, Z = 0;
    static const FVector ZeroVector;
    FVector() = default;
    FVector(double InX, double InY, double InZ) : X(InX), Y(InY), Z(InZ) {}
    FVector& operator+=(const FVector& Other) {
        X += Other.X;
        Y += Other.Y;
        Z += Other.Z;
        return *this;
    }
};
inline const FVector FVector::ZeroVector;

struct FVector2f {
    float X = 0, Y = 0;
    static const FVector2f ZeroVector;
    FVector2f() = default;
    FVector2f(float InX, float InY) : X(InX), Y(InY) {}
    FVector2f operator+(const FVector2f& Other) const { return {X + Other.X, Y + Other.Y}; }
    FVector2f& operator+=(const FVector2f& Other) { return *this = *this + Other; }
    FVector2f operator*(float Scale) const { return {X * Scale, Y * Scale}; }
    float SizeSquared() const { return X * X + Y * Y; }
    float Size() const { return std::sqrt(SizeSquared()); }
    bool IsZero() const { return X == 0 && Y == 0; }
    FVector2f GetSafeNormal() const {
        return SizeSquared() < UE_SMALL_NUMBER ? ZeroVector : *this * (1 / Size());
    }
    static float DotProduct(const FVector2f& One, const FVector2f& Other) {
        return One.X * Other.X + One.Y * Other.Y;
    }
};
inline const FVector2f FVector2f::ZeroVector;

class FTransform {
public:
    FTransform() = default;
    explicit FTransform(const FVector& Place) : Location(Place) {}
    FVector GetLocation() const { return Location; }
    void SetLocation(const FVector& Place) { Location = Place; }

private:
    FVector Location;
};
